"""All kinds of credentials that are known by their shape, family by family."""

from datasets.logic.credentials.kinds import (
    clouds,
    code_hosts,
    commerce,
    messaging,
    model_providers,
    web_tokens,
    work_tools,
)

KINDS = (
    *code_hosts.KINDS,
    *clouds.KINDS,
    *model_providers.KINDS,
    *messaging.KINDS,
    *commerce.KINDS,
    *work_tools.KINDS,
    *web_tokens.KINDS,
)
