import { Stack, Text } from '@chakra-ui/react'
import { ButtonLink } from '@/shared/components/ButtonLink'
import { PageHeading } from '@/shared/components/PageHeading'
import { usePageTitle } from '@/shared/lib/usePageTitle'

export function Component() {
  usePageTitle('Page Not Found')
  return (
    <Stack align="center" textAlign="center" gap="4" py="16">
      <Text fontFamily="heading" fontWeight="bold" textStyle="7xl" lineHeight="1" color="brand.fg">
        404
      </Text>
      <PageHeading>Page Not Found</PageHeading>
      <Text color="fg.muted">You jumped past the last platform. There is nothing at this address.</Text>
      <ButtonLink to="/" mt="2">
        Return to Home
      </ButtonLink>
    </Stack>
  )
}
