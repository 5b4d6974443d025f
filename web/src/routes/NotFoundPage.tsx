import { t } from '@lingui/core/macro'
import { slogan } from '@/locales'
import { Text } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { ButtonLink } from '@/ui/links'
import { CenteredMessage } from '@/ui/messages'
import { Scene } from '@/ui/more/Scene'
import { paths } from './paths'

export default function NotFoundPage() {
  usePageTitle(t`Page Not Found`)
  return (
    <CenteredMessage>
      <Scene falls slogan={slogan()} />
      <Text fontFamily="heading" fontWeight="bold" fontSize="6xl" lineHeight="1">
        404
      </Text>
      <PageHeading>{t`Page Not Found`}</PageHeading>
      <Text color="fg.muted">{t`You jumped past the last platform. There is nothing at this address.`}</Text>
      <ButtonLink to={paths.home}>{t`Return to Home`}</ButtonLink>
    </CenteredMessage>
  )
}
