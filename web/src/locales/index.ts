import { i18n, type Messages } from '@lingui/core'

/** The locales of the site, with the one whose dates and numbers they have. */
const FORMATS = { en: 'en-GB' }
type Locale = keyof typeof FORMATS

/**
 * Shows the site in a locale from now on. English is in the code and has no catalogue. Texts that are on the page do not
 * change: it is called before the first is shown.
 */
export function activateLocale(locale: Locale, messages: Messages = {}): void {
  i18n.loadAndActivate({ locale, locales: FORMATS[locale], messages })
}

/** Returns a sentence of the server by its id in server.ts. English, which has no catalogue, and an unknown id get the fallback. */
export const serverText = (id: string, fallback: string): string => (i18n.messages[id] ? i18n._(id) : fallback)
