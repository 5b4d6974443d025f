import { CenteredMessage } from './CenteredMessage'
import { Badge, Button, Text } from './index'
import { PageHeading } from './PageHeading'
import { RouteLink } from './PageLink'
import { usePageTitle } from './usePageTitle'

/** The placeholder of a part of the site that does not exist yet. */
export function ComingSoon({ title, text }: { title: string; text: string }) {
  usePageTitle(title)
  return (
    <CenteredMessage>
      <Badge colorPalette="brand" size="lg">
        Coming Soon
      </Badge>
      <PageHeading>{title}</PageHeading>
      <Text color="fg.muted">{text}</Text>
      <Button asChild>
        <RouteLink to="/">Return to Home</RouteLink>
      </Button>
    </CenteredMessage>
  )
}
