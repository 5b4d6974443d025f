import { t } from '@lingui/core/macro'
import { useGetStatsQuery } from '@/api'
import { useLoggedError } from '@/api/more/LoadFailure'
import { Box, Figure, Flex, Grid, Skeleton } from '@/ui'
import { formatNumber } from '@/ui/format'

/** How much the site has. */
export function StatCounters() {
  const { data, error } = useGetStatsQuery()
  useLoggedError('Failed to load the totals', error)
  const counters = [
    { label: t`Total Maps`, value: data?.data.totalMaps },
    { label: t`Registered Players`, value: data?.data.totalPlayers },
    { label: t`Submitted Records`, value: data?.data.totalRecords },
  ]
  return (
    <Grid as="dl" columns={{ base: 3, md: 1, xl: 3 }} gap="3" alignSelf="center">
      {counters.map(({ label, value }) => (
        // The figure is above its label, which comes first in the document.
        <Flex key={label} direction="column-reverse" justify="flex-end">
          <Box as="dt" textStyle="xs" color="fg.muted">
            {label}
          </Box>
          <Figure as="dd" minH="8" textStyle="2xl">
            {value !== undefined ? formatNumber(value) : error ? '–' : <Skeleton h="7" w="16" />}
          </Figure>
        </Flex>
      ))}
    </Grid>
  )
}
