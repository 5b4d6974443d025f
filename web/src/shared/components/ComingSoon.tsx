import { Stack, Text } from '@chakra-ui/react'
import { usePageTitle } from '@/shared/lib/usePageTitle'
import { Badge } from './Badge'
import { ButtonLink } from './ButtonLink'
import { PageHeading } from './PageHeading'

// ComingSoon stands where a part of the site will be.
export function ComingSoon({ title, text }: { title: string; text: string }) {
  usePageTitle(title)
  return (
    <Stack align="center" textAlign="center" gap="4" py="16" maxW="xl" mx="auto">
      <Badge colour="brand" large>
        Coming Soon
      </Badge>
      <PageHeading>{title}</PageHeading>
      <Text color="fg.muted">{text}</Text>
      <ButtonLink to="/" mt="2">
        Return to Home
      </ButtonLink>
    </Stack>
  )
}
