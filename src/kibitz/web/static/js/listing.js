// Lists in sentences.

/** Names as a list in a sentence: "Ann, Ben and Eve". */
export const listed = (names) => names.join(", ").replace(/, ([^,]*)$/, " and $1");
