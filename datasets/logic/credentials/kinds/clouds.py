"""Keys and tokens of clouds, hosts and stores of secrets."""

from datasets.logic.credentials.kind import Kind
from datasets.logic.credentials.shapes import (
    ALNUM,
    ANY_HEX,
    BASE64,
    HEX,
    RIGHT,
    URLSAFE,
    begins,
    counted,
    joint,
    open_ended,
    sized,
)

AWS = "AWS: IAM identifiers, unique id prefixes"
AWS_PREFIXES = ("AKIA", "ASIA", "ABIA", "ACCA", "AGPA", "AIDA", "AROA", "AIPA", "ANPA", "ANVA")
GOOGLE = "Google Cloud: API keys; OAuth 2.0 clients"
AZURE = "Azure: storage account access keys; shared access signatures; Entra application secrets"
VAULT = "HashiCorp Vault: token prefixes"
DIGITALOCEAN = "DigitalOcean: token prefixes"

KINDS = (
    *(Kind("aws_access_key", p, rf"{begins(p)}{counted('A-Z0-9', 16)}{RIGHT}", AWS) for p in AWS_PREFIXES),
    Kind("aws_access_key", "A3T", rf"{begins('A3T[A-Z0-9]')}{counted('A-Z0-9', 16)}{RIGHT}", AWS),
    Kind("aws_bedrock_key", "ABSK", rf"{begins('ABSK')}{counted(BASE64, 109)}={{0,2}}", "AWS: Bedrock API keys"),
    Kind(
        "aws_bedrock_key",
        "bedrock-api-key-",
        rf"bedrock-api-key-{open_ended(BASE64, 40)}={{0,2}}",
        "AWS: Bedrock API keys",
    ),
    Kind("google_api_key", "AIza", rf"AIza(?:[{URLSAFE}]{{35}}|{counted(URLSAFE, 35)})", GOOGLE),
    Kind("google_oauth_secret", "GOCSPX-", rf"GOCSPX-{sized(URLSAFE, 28, least=24)}", GOOGLE),
    Kind("google_oauth_token", "ya29.", rf"{begins('ya29[.]')}{open_ended(URLSAFE, 20)}", GOOGLE),
    Kind("google_oauth_token", "1//0", rf"{begins('1//0')}{counted(URLSAFE, 40)}", GOOGLE),
    Kind("azure_storage_key", "AccountKey=", rf"AccountKey=(?P<secret>{counted(BASE64 + '=', 40)})", AZURE),
    Kind("azure_access_key", "SharedAccessKey=", rf"SharedAccessKey=(?P<secret>{counted(BASE64, 40)}={{0,2}})", AZURE),
    Kind(
        "azure_sas_signature",
        "sig=",
        rf"\bsig=(?P<secret>(?>(?:[{URLSAFE}+/]|%[{ANY_HEX}]{{2}}){{42,}})={{0,2}})",
        AZURE,
    ),
    Kind(
        "azure_client_secret",
        "Q~",
        r"(?:(?<![A-Za-z0-9~.\x1e])|(?<=\\[nrt])|(?<=%[0-9A-F][0-9A-F]))[A-Za-z0-9_~.-]{3}[0-9]Q~"
        rf"(?:[A-Za-z0-9_~.-]{{31,34}}|{counted('A-Za-z0-9_~.-', 34)})(?![A-Za-z0-9~])",
        AZURE,
    ),
    Kind("digitalocean_token", "_v1_", rf"do[opr]_v1_{counted(HEX, 64)}", DIGITALOCEAN, gate="_"),
    Kind("heroku_key", "HRKU-", rf"HRKU-{sized(URLSAFE, 60, least=36)}", "Heroku: OAuth, API key format"),
    Kind(
        "databricks_token", "dapi", rf"{begins('dapi')}{counted(ANY_HEX, 32)}(?:-[0-9])?{RIGHT}", "Databricks: tokens"
    ),
    Kind(
        "alibaba_key", "LTAI", rf"{begins('LTAI')}{sized(ALNUM, 20, least=12)}{RIGHT}", "Alibaba Cloud: AccessKey pairs"
    ),
    Kind("vault_token", "hvs.", rf"{begins('hvs[.]')}{open_ended(URLSAFE, 24)}", VAULT),
    Kind("vault_token", "hvb.", rf"{begins('hvb[.]')}{open_ended(URLSAFE, 24)}", VAULT),
    Kind("vault_token", "hvr.", rf"{begins('hvr[.]')}{open_ended(URLSAFE, 24)}", VAULT),
    Kind(
        "onepassword_token", "ops_ey", rf"ops_ey{open_ended(BASE64 + '_-', 60)}={{0,3}}", "1Password: service accounts"
    ),
    Kind(
        "onepassword_secret_key",
        "A3-",
        rf"{begins('A3-')}[A-Z0-9]{{6}}-(?:[A-Z0-9]{{11}}|[A-Z0-9]{{6}}-[A-Z0-9]{{5}})(?:-[A-Z0-9]{{5}}){{3}}{RIGHT}",
        "1Password: about your Secret Key",
    ),
    Kind("age_key", "AGE-SECRET-KEY-1", rf"AGE-SECRET-KEY-1{counted('0-9A-Z', 58)}", "age: the age file format"),
    Kind(
        "doppler_token",
        "dp.",
        rf"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{{1,40}}\.)?{counted(ALNUM, 43)}",
        "Doppler: tokens",
    ),
    Kind(
        "cloudflare_key",
        "v1.0-",
        rf"{begins('v1[.]0-')}{counted(HEX, 24)}{joint('-')}{counted(HEX, 146)}",
        "Cloudflare: Origin CA keys",
    ),
    Kind(
        "vercel_token", "vc", rf"{begins('vc[iparkt]_')}{sized(ALNUM, 24, least=20)}", "Vercel: token formats", gate="_"
    ),
    Kind("fly_token", "fm", rf"{begins('fm[12]')}[ar]?_{open_ended(BASE64, 100)}={{0,3}}", "Fly.io: tokens", gate="_"),
    Kind("fly_token", "fo1_", rf"{begins('fo1_')}{counted(URLSAFE, 43)}", "Fly.io: tokens"),
    Kind("netlify_token", "nf", rf"{begins('nf[pcobu]_')}{counted(ALNUM, 36)}", "Netlify: token formats", gate="_"),
    Kind("supabase_token", "sbp_", rf"{begins('sbp_')}{counted(HEX, 40)}", "Supabase: access tokens"),
    Kind("supabase_key", "sb_secret_", rf"sb_secret_{sized(URLSAFE, 31, least=22)}", "Supabase: API keys"),
    Kind(
        "planetscale_token",
        "pscale_",
        rf"pscale_(?:tkn|oauth|pw)_{sized(URLSAFE, 43, least=32)}",
        "PlanetScale: service tokens",
    ),
    Kind("openshift_token", "sha256~", rf"sha256~{counted(URLSAFE, 43)}", "OpenShift: OAuth access tokens"),
    Kind("tailscale_key", "tskey-", rf"tskey-[a-z]{{2,10}}-{open_ended(URLSAFE, 16)}", "Tailscale: key prefixes"),
    Kind(
        "softlayer_key",
        "softlayer.com",
        r"api\.softlayer\.com/soap/v[0-9.]{1,4}/(?P<secret>[a-z0-9]{64})",
        "SoftLayer: SOAP API endpoints",
        gate="/",
    ),
)
