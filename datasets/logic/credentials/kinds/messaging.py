"""Tokens and webhooks of services that carry messages."""

from datasets.logic.credentials.kind import Kind
from datasets.logic.credentials.shapes import (
    ALNUM,
    BREAK,
    HEX,
    RIGHT,
    URLSAFE,
    begins,
    counted,
    joint,
    open_ended,
    sized,
)

SLACK = "Slack: token types; incoming webhooks"
TELEGRAM = "Telegram: bot API, authorizing your bot"
DISCORD = "Discord: API reference, authentication; webhooks"

KINDS = (
    Kind(
        "slack_token",
        "xox",
        rf"xox[abeoprs](?:\.xox[bp])?-(?=[A-Za-z-]{{0,60}}[0-9]|[{ALNUM}-]{{32}}){open_ended(ALNUM + '-', 10)}",
        SLACK,
        gate="-",
    ),
    Kind("slack_token", "xapp-", rf"{begins('xapp-')}(?=[A-Za-z-]{{0,60}}[0-9]){open_ended(ALNUM + '-', 16)}", SLACK),
    Kind(
        "slack_webhook",
        "hooks.slack.com/",
        rf"(?:https?://)?hooks\.slack\.com/(?:services|workflows|triggers)/{sized(ALNUM + '_/', 44, least=20)}",
        SLACK,
        gate="/",
    ),
    Kind(
        "discord_token",
        ".",
        rf"{begins('[MNO]')}(?:[{URLSAFE}]{{23,27}}|[{URLSAFE}](?:{BREAK}?[{URLSAFE}]){{22,26}}){joint('[.]')}"
        rf"{counted(URLSAFE, 6)}{joint('[.]')}(?:[{URLSAFE}]{{27,38}}|{counted(URLSAFE, 27)})",
        DISCORD,
    ),
    Kind("discord_token", "mfa.", rf"{begins('mfa[.]')}{counted(URLSAFE, 84)}", DISCORD),
    Kind(
        "discord_webhook",
        "/api/webhooks/",
        rf"discord(?:app)?\.com/api/webhooks/[0-9]{{15,21}}/(?P<secret>{counted(URLSAFE, 60)})",
        DISCORD,
    ),
    Kind("telegram_token", ":A", rf"(?<![0-9\x1e])[0-9]{{8,10}}:A{counted(URLSAFE, 34)}", TELEGRAM),
    Kind("telegram_token", ":", rf"(?<![0-9\x1e])[0-9]{{8,10}}:[{URLSAFE}]{{35}}(?![{URLSAFE}])", TELEGRAM),
    Kind("twilio_key", "SK", rf"{begins('SK')}{counted('a-z0-9', 32)}{RIGHT}", "Twilio: API keys"),
    Kind("twilio_key", "AC", rf"{begins('AC')}{counted('a-z0-9', 32)}{RIGHT}", "Twilio: account SIDs"),
    Kind(
        "sendgrid_key", "SG.", rf"{begins('SG[.]')}[{URLSAFE}]{{4,128}}\.{counted(URLSAFE, 43)}", "SendGrid: API keys"
    ),
    Kind("sendgrid_key", "SG.", rf"{begins('SG[.]')}[{URLSAFE}]{{4,128}}\.[{URLSAFE}]{{16,}}+", "SendGrid: API keys"),
    Kind(
        "mailchimp_key",
        "-us",
        rf"(?:(?<![a-z0-9\x1e])|(?<=\\[nrt]))[0-9a-z](?:{BREAK}?[0-9a-z]){{31}}-us[0-9]{{1,2}}{RIGHT}",
        "Mailchimp: about API keys",
    ),
    Kind("mailgun_key", "key-", rf"{begins('key-')}{counted(HEX, 32)}{RIGHT}", "Mailgun: API keys"),
    Kind("brevo_key", "xkeysib-", rf"xkeysib-{counted(HEX, 64)}{joint('-')}{counted(ALNUM, 16)}", "Brevo: API keys"),
    Kind(
        "teams_webhook",
        ".webhook.office.com/",
        r"https://[a-z0-9]{1,63}\.webhook\.office\.com/webhookb2/[0-9a-z@-]{36,73}/IncomingWebhook/[a-z0-9]{32}/[0-9a-f-]{36}",
        "Microsoft Teams: incoming webhooks",
        gate="/",
    ),
)
