"""Tokens of tools that people plan, write, draw and watch systems with."""

from datasets.logic.credentials.kind import Kind
from datasets.logic.credentials.shapes import (
    ALNUM,
    ANY_HEX,
    BASE64,
    HEX,
    RIGHT,
    URLSAFE,
    WORD,
    begins,
    counted,
    joint,
    open_ended,
    sized,
)

GRAFANA = "Grafana: service account tokens; cloud access policies"
NEW_RELIC = "New Relic: API keys"
SENTRY = "Sentry: auth tokens"

KINDS = (
    Kind("linear_key", "lin_", rf"lin_(?:api|oauth|wh)_{sized(WORD, 40, least=32)}", "Linear: API and webhooks"),
    Kind("notion_token", "ntn_", rf"{begins('ntn_')}{sized(ALNUM, 46, least=40)}", "Notion: authorization"),
    Kind("notion_token", "secret_", rf"{begins('secret_')}{counted(ALNUM, 43)}{RIGHT}", "Notion: authorization"),
    Kind("grafana_token", "glsa_", rf"glsa_{counted(ALNUM, 32)}{joint('_')}{counted(ANY_HEX, 8)}", GRAFANA),
    Kind("grafana_token", "glc_", rf"{begins('glc_')}{open_ended(BASE64, 32)}={{0,2}}", GRAFANA),
    Kind(
        "grafana_token", "eyJrIjoi", rf"{begins('eyJrIjoi')}{open_ended(ALNUM, 60)}={{0,3}}(?![.][{URLSAFE}])", GRAFANA
    ),
    Kind(
        "figma_token", "fig", rf"fig[dou]r?_{sized(URLSAFE, 43, least=40)}", "Figma: personal access tokens", gate="_"
    ),
    Kind("dropbox_token", "sl.", rf"{begins('sl[.]')}(?:u\.)?{sized(URLSAFE, 135, least=60)}", "Dropbox: OAuth guide"),
    Kind("sentry_token", "sntry", rf"sntryu_{counted(HEX, 64)}", SENTRY, gate="_"),
    Kind(
        "sentry_token",
        "sntrys_",
        rf"sntrys_{open_ended(BASE64, 40)}={{0,2}}(?:{joint('_')}{counted(BASE64, 43)})?",
        SENTRY,
    ),
    Kind(
        "new_relic_key",
        "NR",
        rf"{begins('NR(?:AK|II|RA|JS|AL)')}-(?:{counted(ALNUM + '-', 27)}|{counted(ALNUM, 19)})",
        NEW_RELIC,
        gate="-",
    ),
    Kind("airtable_token", "pat", rf"{begins('pat')}[{ALNUM}]{{14}}\.{counted(HEX, 64)}", "Airtable: tokens", gate="."),
    Kind(
        "hubspot_token",
        "pat-",
        rf"{begins('pat-')}(?:na|eu|ap)[0-9]{{1,2}}-{counted('0-9a-f-', 36)}",
        "HubSpot: private apps",
    ),
    Kind(
        "asana_token",
        "/",
        rf"/(?<=[0-2]/)(?P<secret>[0-9]{{12,20}}(?:/[0-9]{{12,20}})?:{counted(HEX, 32)})",
        "Asana: tokens",
    ),
    Kind(
        "dynatrace_token", "dt0", rf"dt0[a-z][0-9]{{2}}\.[A-Z0-9]{{24}}\.{counted('A-Z0-9', 64)}", "Dynatrace: tokens"
    ),
    Kind("typeform_token", "tfp_", rf"{begins('tfp_')}{sized(URLSAFE, 59, least=40)}", "Typeform: tokens"),
    Kind("readme_key", "rdme_", rf"rdme_{counted('a-z0-9', 70)}", "ReadMe: API keys"),
)
