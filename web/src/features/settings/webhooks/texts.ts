import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { WebhookFailure, WebhookFormat, WebhookOffReason, WebhookState, WebhookType } from '@/api/settings'

/** Returns the types of events in their order, each with its name and what it has. */
export const typeTexts = (): Record<WebhookType, [name: string, text: string]> => ({
  record: [t`Records`, t`Each new record, and records that are removed or restored.`],
  worldRecord: [t`World records`, t`Only new world records.`],
  map: [t`Maps`, t`New maps and versions, and maps that are changed, removed or restored.`],
  player: [t`Players`, t`Players who log in for the first time, are merged or deleted.`],
})

export const FORMATS: Record<WebhookFormat, MessageDescriptor> = {
  discord: msg`Discord, for a channel`,
  json: msg`JSON, for a program`,
}

export const OFF: Record<WebhookOffReason, MessageDescriptor> = {
  owner: msg`You switched it off.`,
  gone: msg`The receiver has answered that it is gone (410).`,
  failures: msg`Nothing has reached the receiver for 50 deliveries in a row, or for 3 days.`,
}

export const STATES: Record<WebhookState, MessageDescriptor> = {
  delivered: msg`Delivered`,
  failed: msg`Failed`,
  waiting: msg`Waiting`,
}

export const FAILURES: Record<WebhookFailure, MessageDescriptor> = {
  status: msg`The receiver has refused it.`,
  redirect: msg`The receiver redirects to another address, which is not followed.`,
  unreachable: msg`The receiver has not answered within 10 seconds. Check its address and its certificate.`,
  off: msg`The webhook was switched off.`,
  banned: msg`You were banned.`,
  dropped: msg`More than 1,000 deliveries were waiting.`,
}

/** Returns a text by its name. A newer server may send other names, which are shown as they are. */
export function textOf<Name extends string>(texts: Record<Name, MessageDescriptor>, name: Name): string {
  const text: MessageDescriptor | undefined = texts[name]
  return text ? i18n._(text) : name
}

/** Returns what a webhook is called: by its owner, else by the host of its address. */
export function nameOf({ description, url }: { description: string; url: string }): string {
  return description || hostOf(url)
}

/** Returns the host of an address: the path of one of Discord is a secret. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
