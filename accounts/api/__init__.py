"""The API's authentication, throttling and idempotency, and the endpoints of accounts."""
