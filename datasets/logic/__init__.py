"""Plain Python of datasets, without Django: drafts of cases, their rules, file formats, the arithmetic of versions."""
