"""The review of answers: which graded answers wait for a person, and who sent them there."""
