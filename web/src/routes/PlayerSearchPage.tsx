import { Box, Text } from '@chakra-ui/react'
import { PlayerSearch } from '@/features/players/PlayerSearch'
import { PageHeading } from '@/shared/components/PageHeading'
import { usePageTitle } from '@/shared/lib/usePageTitle'

export function Component() {
  usePageTitle('Player Search')
  return (
    <>
      <Box mb="6">
        <PageHeading>Player Search</PageHeading>
        <Text color="fg.muted" mt="1">
          Who runs, who builds, and how far they have come.
        </Text>
      </Box>
      <PlayerSearch />
    </>
  )
}
