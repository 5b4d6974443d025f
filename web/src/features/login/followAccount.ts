import type { AppStore } from '@/store/store'

/** Shows the site in the account's language after a login. */
export async function followAccount(store: AppStore): Promise<void> {
  const account = await import('@/entities/player/more/accountLanguage')
  await account.followAccount(store)
}
