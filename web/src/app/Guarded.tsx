import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { Guard } from '@/routes/pages'
import { paths } from '@/routes/paths'
import { isAllowed } from '@/session/permissions'
import { useLoginRequired } from '@/session/useLoginRequired'
import { useSession } from '@/store/hooks'
import { type Elements, Text } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { ButtonLink } from '@/ui/links'
import { CenteredMessage, LoadingScreen } from '@/ui/messages'

/** Shows a page to those who may open it. Visitors are sent to the login. */
export function Guarded({ guard, children }: { guard: Guard; children: Elements }) {
  const access = useLoginRequired(i18n._(guard.warning))
  const user = useSession()
  if (access === 'checking') return <LoadingScreen text={t`Loading authentication...`} />
  if (access === 'unknown') return <NotChecked />
  // A session that ends while the page is open leaves what is on it.
  if (user && guard.action !== 'login' && !isAllowed(user, guard.action)) return <NotAllowed />
  return children
}

function NotChecked() {
  usePageTitle(t`Login not checked`)
  return (
    <CenteredMessage alert>
      <PageHeading>{t`Your login cannot be checked right now`}</PageHeading>
      <Text color="fg.muted">{t`The page opens by itself once the server answers.`}</Text>
    </CenteredMessage>
  )
}

function NotAllowed() {
  usePageTitle(t`Not allowed`)
  return (
    <CenteredMessage>
      <PageHeading>{t`You may not open this page`}</PageHeading>
      <Text color="fg.muted">{t`It needs a role that your account does not have.`}</Text>
      <ButtonLink to={paths.home}>{t`Return to Home`}</ButtonLink>
    </CenteredMessage>
  )
}
