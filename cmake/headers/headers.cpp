// A library needs a file: this one holds nothing.
