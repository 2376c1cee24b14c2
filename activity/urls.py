"""The console addresses of chat and activity."""

from django.urls import URLPattern, URLResolver, path

from activity.views import chat, conversation_settings, ratings, runs

urlpatterns: list[URLPattern | URLResolver] = [
    path("activity/", runs.run_list, name="run_list"),
    path("activity/<id:run_id>/", runs.run, name="run"),
    path("activity/<id:run_id>/json/", runs.run_json, name="run_json"),
    path("activity/<id:run_id>/delete/", runs.run_delete, name="run_delete"),
    path("chat/", chat.chat, name="chat"),
    path("chat/answers/<id:message_id>/", chat.conversation_answer, name="conversation_answer"),
    path("chat/answers/<id:message_id>/rating/", ratings.answer_rating, name="answer_rating"),
    path("chat/<id:conversation_id>/", chat.conversation, name="conversation"),
    path("chat/<id:conversation_id>/rename/", conversation_settings.conversation_rename, name="conversation_rename"),
    path(
        "chat/<id:conversation_id>/visibility/",
        conversation_settings.conversation_visibility,
        name="conversation_visibility",
    ),
    path("chat/<id:conversation_id>/delete/", conversation_settings.conversation_delete, name="conversation_delete"),
]
