"""How gunicorn serves the console, on a laptop and on a team's machine alike; read by `gunicorn --config`."""

import os

from config.settings import ENVIRONMENT, LOGGING, TRUSTED_PROXIES

bind = f"{os.environ.get('HOST', '127.0.0.1')}:{os.environ.get('PORT', '8000')}"
workers = ENVIRONMENT.WEB_PROCESSES
worker_class = "gthread"
threads = ENVIRONMENT.WEB_THREADS
# An import of the largest file takes seconds; a request that takes longer than this hangs.
timeout = 120
graceful_timeout = 20
keepalive = 75
# Addresses carry filters and search terms.
limit_request_line = 8190
# The header of the scheme is believed only where TRUSTED_PROXIES says that a proxy sets it.
forwarded_allow_ips = "*" if TRUSTED_PROXIES else ""
# The access log is ours (core/middleware.py): gunicorn's would write query strings.
accesslog = None
logconfig_dict = LOGGING
# It would be a file in the home folder of whoever runs this.
control_socket_disable = True
