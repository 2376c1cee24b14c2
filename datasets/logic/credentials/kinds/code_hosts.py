"""Tokens of places where code and packages live."""

from datasets.logic.credentials.kind import Kind
from datasets.logic.credentials.shapes import (
    ALNUM,
    ANY_HEX,
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

GITHUB = "GitHub: about authentication, token formats"
GITLAB = "GitLab: security, token overview"
ATLASSIAN = "Atlassian: manage API tokens; GitHub: supported secret scanning patterns"

_NO_WORDS = r"(?![\w-]{0,20}your[-_])"

KINDS = (
    Kind("github_token", "gh", rf"gh[pousr]_(?:{counted(ALNUM, 36)}|{counted(WORD, 36)})", GITHUB, gate="_"),
    Kind("github_token", "ghs_", rf"ghs_[0-9]{{1,20}}_eyJ[{URLSAFE}]{{10,2000}}+(?:\.[{URLSAFE}]{{8,}}+){{2}}", GITHUB),
    Kind("github_token", "github_pat_", rf"github_pat_{_NO_WORDS}{counted(ALNUM, 22)}_{counted(ALNUM, 59)}", GITHUB),
    Kind("github_token", "github_pat_", rf"github_pat_{_NO_WORDS}[{WORD}]{{22,}}+", GITHUB),
    Kind(
        "github_token",
        ":x-oauth-basic@github.com",
        rf"://(?P<secret>[{URLSAFE}]{{8,256}}):x-oauth-basic@github\.com",
        "GitHub: Git over HTTPS with a token as the user name",
        gate="/",
    ),
    Kind(
        "gitlab_token",
        "gl",
        rf"gl(?:pat|dt|ft|soat|rtr|rt|ffct|wt)-{_NO_WORDS}"
        rf"{counted(URLSAFE, 20)}(?:\.[0-9a-z]{{2}}\.?[0-9a-z]{{7,9}}{RIGHT})?",
        GITLAB,
        gate="-",
    ),
    Kind("gitlab_token", "glcbt-", rf"glcbt-(?:[{ALNUM}]{{1,5}}_)?{counted(URLSAFE, 20)}", GITLAB),
    *(
        Kind("gitlab_token", f"gl{name}-", rf"gl{name}-{counted(URLSAFE, size)}", GITLAB)
        for name, size in (("imt", 25), ("ptt", 40), ("agent", 50), ("oas", 64))
    ),
    Kind("gitlab_token", "GR1348941", rf"GR1348941{counted(URLSAFE, 20)}", GITLAB),
    Kind("gitlab_token", "_gitlab_session=", rf"_gitlab_session=(?P<secret>[{HEX}]{{32}})", GITLAB),
    Kind("bitbucket_token", "ATBB", rf"{begins('ATBB')}{sized(URLSAFE, 32, least=28)}", ATLASSIAN),
    Kind(
        "bitbucket_token",
        "ATCTT3",
        rf"{begins('ATCTT3')}{sized(URLSAFE, 177, least=60)}(?:{joint('=')}{counted(ANY_HEX, 8)})?",
        ATLASSIAN,
    ),
    Kind(
        "atlassian_token",
        "ATATT3",
        rf"{begins('ATATT3')}{sized(URLSAFE, 177, least=60)}(?:{joint('=')}{counted(ANY_HEX, 8)})?",
        ATLASSIAN,
    ),
    Kind(
        "npm_token",
        "npm_",
        rf"{begins('npm_')}(?=[a-z0-9_]{{0,35}}[A-Z])(?=[A-Za-z_]{{0,35}}[0-9])[{WORD}]{{36}}(?![{WORD}])",
        "npm: about access tokens",
    ),
    Kind(
        "npm_token",
        "_authToken",
        r"_authToken ?= ?[\"']?(?P<secret>[^\s\"'$<{(\[*.][^\s\"']{7,512})",
        "npm: auth-related configuration",
    ),
    Kind("npm_token", "npm_", rf"{begins('npm_')}{sized(ALNUM, 36, least=30)}", "npm: about access tokens", gate="_"),
    Kind(
        "pypi_token",
        "pypi-",
        rf"{begins('pypi-')}(?=[a-z0-9_-]{{0,40}}[A-Z]){open_ended(URLSAFE, 40)}",
        "Warehouse: token scanning (a macaroon in base64)",
    ),
    Kind("rubygems_key", "rubygems_", rf"rubygems_{counted(HEX, 48)}", "RubyGems: API key scopes"),
    Kind("docker_token", "dckr_", rf"dckr_(?:pat|oat)_{counted(URLSAFE, 27)}", "Docker Hub: access tokens"),
    Kind(
        "artifactory_key",
        "AKC",
        rf"{begins('AKC')}(?=[A-Z]{{0,40}}[a-z0-9]){sized(ALNUM, 70, least=40)}",
        "JFrog: API key",
    ),
    Kind(
        "artifactory_key",
        "AKC",
        rf"{begins('AKC')}(?=[A-Z0-9]{{0,40}}[a-z])(?=[A-Za-z]{{0,40}}[0-9]){open_ended(ALNUM, 10)}",
        "JFrog: API key",
    ),
    Kind(
        "artifactory_password",
        "AP",
        rf"{begins('AP[0-9A-F]')}(?=[A-Z0-9]{{0,40}}[a-z])(?=[A-Za-z]{{0,40}}[0-9])(?=[a-z0-9]{{0,40}}[A-Z])"
        rf"{open_ended(ALNUM, 8)}(?![+=])",
        "JFrog: centrally secure passwords",
    ),
    Kind("artifactory_token", "cmVmd", rf"{begins('cmVmd')}{counted(ALNUM, 59)}{RIGHT}", "JFrog: reference tokens"),
    Kind("sonar_token", "sq", rf"{begins('sq[apu]_')}{counted(HEX, 40)}{RIGHT}", "SonarQube: user tokens", gate="_"),
    Kind(
        "circleci_token",
        "CCIPAT_",
        rf"CCIPAT_{counted(ALNUM, 22)}{joint('_')}{counted(HEX, 40)}",
        "CircleCI: API tokens",
    ),
    Kind("nuget_key", "oy2", rf"{begins('oy2')}{counted('a-z0-9', 43)}{RIGHT}", "NuGet: scoped API keys"),
    Kind("crates_token", "cio", rf"{begins('cio')}{counted(ALNUM, 32)}{RIGHT}", "Cargo book: registry authentication"),
    Kind("clojars_token", "CLOJARS_", rf"CLOJARS_{counted('a-z0-9', 60)}", "Clojars: deploy tokens"),
    Kind(
        "terraform_token",
        ".atlasv1.",
        rf"[{ALNUM}]{{14}}\.atlasv1\.{sized(URLSAFE + '=', 67, least=60)}",
        "Terraform: tokens",
    ),
    Kind("pulumi_token", "pul-", rf"{begins('pul-')}{counted(HEX, 40)}{RIGHT}", "Pulumi: access tokens"),
    Kind(
        "postman_key", "PMAK-", rf"PMAK-{counted(ANY_HEX, 24)}{joint('-')}{counted(ANY_HEX, 34)}", "Postman: API keys"
    ),
)
