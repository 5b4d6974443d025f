import { i18n, type Messages } from '@lingui/core'
import { startTransition } from 'react'
import { config } from '@/config'
import { FORMATS, LANGUAGES, type Language } from './languages'

export { LANGUAGES, type Language } from './languages'

type Part = () => Promise<{ messages: Messages }>

// English is in the code. What the first pages show of another language is one file, and the rest another.
const none: Part = async () => ({ messages: {} })
const CATALOGUES: Record<Language, { first: Part; rest: Part }> = {
  en: { first: none, rest: none },
  es: { first: () => import('./es.po?first'), rest: () => import('./es.po?rest') },
  de: { first: () => import('./de.po?first'), rest: () => import('./de.po?rest') },
  pl: { first: () => import('./pl.po?first'), rest: () => import('./pl.po?rest') },
}

let language: Language = 'en'
let restWanted = false

/** Returns the language that the gateway has written into the document: the chosen one, or the browser's. */
export const documentLanguage = (): Language => knownLanguage(document.documentElement.lang)

/** Returns the language with a code, or English. */
export const knownLanguage = (code: string): Language => (Object.hasOwn(LANGUAGES, code) ? (code as Language) : 'en')

/** Returns the language in which the site is shown. */
export const shownLanguage = (): Language => language

/** Shows the site in a language from now on. What is on the page changes in place. */
export async function showLanguage(next: Language): Promise<void> {
  language = next
  const { first, rest } = CATALOGUES[next]
  const parts = await Promise.all(restWanted ? [first(), rest()] : [first()])
  for (const { messages } of parts) i18n.load(next, messages)
  // Another language was chosen meanwhile.
  if (language !== next) return
  i18n.activate(next, FORMATS[next])
  document.documentElement.lang = next
}

/** Loads what the first pages do not show of a language. */
export async function loadRest(): Promise<void> {
  restWanted = true
  const wanted = language
  if (wanted === 'en') return
  const { messages } = await CATALOGUES[wanted].rest()
  // It renders the page again.
  startTransition(() => i18n.load(wanted, messages))
}

/** Shows the site in a language whose messages are given. */
export function activateLocale(locale: Language, messages: Messages = {}): void {
  language = locale
  i18n.loadAndActivate({ locale, locales: FORMATS[locale], messages })
  document.documentElement.lang = locale
}

/** Stores a visitor's choice for the gateway, which writes the language into each document, and shows the site in it. */
export async function chooseLanguage(next: Language): Promise<void> {
  restWanted = true // the page may already show some of it
  const year = 365 * 24 * 60 * 60
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: not all browsers have the Cookie Store API.
  document.cookie = `lang=${next}; path=/; max-age=${year}; samesite=lax${secure}`
  await showLanguage(next)
  // What the gateway wrote about this page is in the language before. Programs that read it ask for a document anew.
  const description = document.querySelector('meta[name=description]')
  description?.setAttribute('content', serverText(['config.description'], config.description))
}

/** Returns the site's slogan. */
export const slogan = (): string => serverText(['config.slogan'], config.slogan)

/**
 * Returns a sentence of server.json by the first of its ids that the catalogue has. English, which has no catalogue, and
 * unknown ids get the fallback.
 */
export function serverText(ids: string[], fallback: string, values: Record<string, unknown> = {}): string {
  const id = ids.find((id) => i18n.messages[id])
  return id ? i18n._(id, values) : fallback
}

/** Reports whether the site speaks the language of the server's own sentences. */
export const isEnglish = (): boolean => i18n.locale === 'en'
