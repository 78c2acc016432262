"""Scripts that compute the data files of the computer players; the files they write are part of the package."""
