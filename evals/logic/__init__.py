"""Plain Python of test runs, without Django: classes of change, statistics, the estimate, the gate."""
