"""People and what they may do: users, organisations, members, roles, grants, keys, invitations, the audit log."""
