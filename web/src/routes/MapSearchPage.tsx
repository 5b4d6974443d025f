import { Box, Text } from '@chakra-ui/react'
import { MapSearch } from '@/features/maps/MapSearch'
import { PageHeading } from '@/shared/components/PageHeading'
import { usePageTitle } from '@/shared/lib/usePageTitle'

export function Component() {
  usePageTitle('Map Search')
  return (
    <>
      <Box mb="6">
        <PageHeading>Map Search</PageHeading>
        <Text color="fg.muted" mt="1">
          Every parkour map that somebody has finished. Pick one and see who was fastest.
        </Text>
      </Box>
      <MapSearch />
    </>
  )
}
