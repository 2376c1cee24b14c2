"""The console addresses of the review queue."""

from django.urls import path

from review.views import sending

urlpatterns = [
    path("datasets/<id:dataset_id>/review/send/", sending.send, name="review_send"),
]
