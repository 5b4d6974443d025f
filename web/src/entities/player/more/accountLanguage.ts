import { t } from '@lingui/core/macro'
import { errorText } from '@/api/error'
import { settingsApi } from '@/api/settings'
import { chooseLanguage, LANGUAGES, type Language } from '@/locales'
import type { AppStore } from '@/store/store'
import { toaster } from '@/ui/toaster'

const { getOwnAccount, updateOwnAccount } = settingsApi.endpoints

/** Stores a choice of the language with the account of the player who is logged in. */
export async function storeLanguage(store: AppStore, language: Language): Promise<void> {
  const { error } = await store.dispatch(updateOwnAccount.initiate({ ownAccountUpdate: { language } }))
  if (!error) return
  const title = t`The language could not be saved to your account. It applies in this browser only.`
  toaster.warning({ title, description: errorText(error, '') })
}

/** Shows the site in the account's language after a login. An account without one takes over the browser's choice. */
export async function followAccount(store: AppStore): Promise<void> {
  const { data } = await store.dispatch(getOwnAccount.initiate(undefined, { subscribe: false, forceRefetch: true }))
  if (!data) return
  const { language } = data.data
  if (language) return chooseLanguage(language)
  const [, chosen = ''] = /(?:^|; )lang=(\w+)/.exec(document.cookie) ?? []
  if (chosen in LANGUAGES) await storeLanguage(store, chosen as Language)
}
