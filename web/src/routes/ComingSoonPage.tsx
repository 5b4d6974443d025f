import { useLocation } from 'react-router'
import { Badge, Text } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { ButtonLink } from '@/ui/links'
import { CenteredMessage } from '@/ui/messages'
import { paths } from './paths'

const EVENTS = {
  title: 'Events',
  text: 'Races at a fixed hour, on a map that is new to every player. The first one will be announced here.',
}
const MAP_SERIES = {
  title: 'Map Series',
  text: 'Maps that belong together, raced one after the other, with one clock for all of them. We are still building this.',
}

/** The placeholder of a part of the site that does not exist yet. */
export default function ComingSoonPage() {
  const { title, text } = useLocation().pathname.startsWith(paths.events) ? EVENTS : MAP_SERIES
  usePageTitle(title)
  return (
    <CenteredMessage>
      <Badge colorPalette="brand" size="lg">
        Coming Soon
      </Badge>
      <PageHeading>{title}</PageHeading>
      <Text color="fg.muted">{text}</Text>
      <ButtonLink to={paths.home}>Return to Home</ButtonLink>
    </CenteredMessage>
  )
}
