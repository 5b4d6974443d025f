import { Button, Text } from '@/ui'
import { CenteredMessage } from '@/ui/CenteredMessage'
import { PageHeading } from '@/ui/PageHeading'
import { RouteLink } from '@/ui/PageLink'
import { usePageTitle } from '@/ui/usePageTitle'
import { paths } from './paths'

export default function NotFoundPage() {
  usePageTitle('Page Not Found')
  return (
    <CenteredMessage>
      <Text fontFamily="heading" fontWeight="bold" fontSize="6xl" lineHeight="1" color="brand.fg">
        404
      </Text>
      <PageHeading>Page Not Found</PageHeading>
      <Text color="fg.muted">You jumped past the last platform. There is nothing at this address.</Text>
      <Button asChild>
        <RouteLink to={paths.home}>Return to Home</RouteLink>
      </Button>
    </CenteredMessage>
  )
}
