"""What is tested and what answers: model connections and the models behind them."""
