import { useLingui } from '@lingui/react'
import { Trans } from '@lingui/react/macro'
import { chooseLanguage, LANGUAGES, type Language, shownLanguage } from '@/locales'
import { selectIsLoggedIn } from '@/session/session'
import { useAppStore } from '@/store/hooks'
import { Flex } from '@/ui'
import { Select } from '@/ui/Select'

/** Changes the language in place, so that nothing on the page is lost, and stores it with the account. */
export function LanguageField() {
  useLingui() // the texts change with the language
  const store = useAppStore()
  const choose = async (next: Language) => {
    void chooseLanguage(next)
    if (!selectIsLoggedIn(store.getState())) return
    const { storeLanguage } = await import('./more/accountLanguage')
    await storeLanguage(store, next)
  }
  return (
    <Flex as="label" align="center" gap="2" flex="none">
      <Trans>Language</Trans>
      <Select small w="36" value={shownLanguage()} choices={LANGUAGES} onChoose={choose} />
    </Flex>
  )
}
