"""Every table there is: imported where `SQLModel.metadata` must be complete."""

import storage.chat.budget_tables
import storage.chat.sent_tables
import storage.chat.tables
import storage.nova.ai_tables
import storage.nova.application_tables
import storage.nova.lifecycle_tables
import storage.nova.notification_tables
import storage.nova.schedule_tables
import storage.nova.sign_in_tables
import storage.nova.tables  # noqa: F401 - fills SQLModel.metadata
