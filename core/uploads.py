"""How much a form of the console may send as files, measured while they arrive."""

from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler

from core.limits import LIMITS


class BoundedUpload(FileUploadHandler):
    """Ends a request whose files are together over LIMITS.form_files_bytes, before they fill the disk.

    Django bounds the fields of a form and not its files, and the check against cross-site requests reads the form of
    every visitor. A file a little over an import's limit still reaches its page, which says so in place.
    """

    size = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self.size += len(raw_data)
        if self.size > LIMITS.form_files_bytes:
            raise RequestDataTooBig("the files of the form are too large")
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None
