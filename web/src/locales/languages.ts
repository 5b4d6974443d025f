/** The languages of the site by their codes, with their own names. */
export const LANGUAGES = { en: 'English', es: 'Español', de: 'Deutsch', pl: 'Polski' }
export type Language = keyof typeof LANGUAGES

/** The locales whose dates and numbers the languages have. */
export const FORMATS: Record<Language, string> = { en: 'en-GB', es: 'es-ES', de: 'de-DE', pl: 'pl-PL' }
