"""The revisions, one file each, named by their order."""
