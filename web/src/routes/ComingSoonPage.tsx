import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useLocation } from 'react-router'
import { Badge, Text } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { ButtonLink } from '@/ui/links'
import { CenteredMessage } from '@/ui/messages'
import { paths } from './paths'

const EVENTS = {
  title: msg`Events`,
  text: msg`Races at a fixed hour, on a map that is new to every player. The first one will be announced here.`,
}
const MAP_SERIES = {
  title: msg`Map Series`,
  text: msg`Maps that belong together, raced one after the other, with one clock for all of them. We are still building this.`,
}

/** The placeholder of a part of the site that does not exist yet. */
export default function ComingSoonPage() {
  const { title, text } = useLocation().pathname.startsWith(paths.events) ? EVENTS : MAP_SERIES
  usePageTitle(i18n._(title))
  return (
    <CenteredMessage>
      <Badge size="lg">{t`Coming Soon`}</Badge>
      <PageHeading>{i18n._(title)}</PageHeading>
      <Text color="fg.muted">{i18n._(text)}</Text>
      <ButtonLink to={paths.home}>{t`Return to Home`}</ButtonLink>
    </CenteredMessage>
  )
}
