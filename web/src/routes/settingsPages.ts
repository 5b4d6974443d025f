// One chunk, which the first pages name once: the names of its files are part of their weight.
export { default as AccountPage } from './AccountPage'
export { default as NotificationSettingsPage } from './NotificationSettingsPage'
export { default as OwnDataPage } from './OwnDataPage'
export { default as SettingsPage } from './SettingsPage'
export { default as TokensPage } from './TokensPage'
export { default as WebhookPage } from './WebhookPage'
export { default as WebhooksPage } from './WebhooksPage'
