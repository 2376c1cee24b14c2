"""Who may do what, over every address: URL × role × how the dataset is related to the member."""
