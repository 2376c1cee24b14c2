"""What every app stands on: errors, limits, paging, HTML, outgoing calls, encryption, jobs. It knows no other app."""
