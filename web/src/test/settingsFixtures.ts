import type { PersonalToken, Webhook, WebhookDelivery } from '@/api/settings'

export const aToken = (change: Partial<PersonalToken> = {}): PersonalToken => ({
  _id: '01900000-0000-7000-8000-0000000000b1',
  name: 'Bot',
  scopes: ['records:submit', 'inbox:read'],
  createdAt: '2026-05-10T10:00:00.000Z',
  expiresAt: '2026-08-08T10:00:00.000Z',
  lastUsedOn: '2026-05-11',
  ...change,
})

export const aDelivery = (change: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  _id: '01900000-0000-7000-8000-0000000000d1',
  type: 'record',
  state: 'delivered',
  tries: 1,
  status: 204,
  failure: null,
  createdAt: '2026-05-11T18:05:00.000Z',
  lastTryAt: '2026-05-11T18:05:01.000Z',
  nextTryAt: null,
  ...change,
})

export const aWebhook = (change: Partial<Webhook> = {}): Webhook => ({
  _id: '01900000-0000-7000-8000-0000000000e1',
  url: 'https://receiver.example/hook',
  format: 'json',
  description: 'Overlay',
  filter: { types: ['record', 'map'], map: { _id: 'a', name: 'Skyline Run' }, player: null, mode: 'Classic' },
  enabled: true,
  offReason: null,
  failures: 0,
  lastDelivery: aDelivery(),
  previousSecretUntil: null,
  createdAt: '2026-05-10T10:00:00.000Z',
  ...change,
})
