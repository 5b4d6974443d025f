import { Text } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { ButtonLink } from '@/ui/links'
import { CenteredMessage } from '@/ui/messages'
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
      <ButtonLink to={paths.home}>Return to Home</ButtonLink>
    </CenteredMessage>
  )
}
