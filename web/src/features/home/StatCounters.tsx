import { t } from '@lingui/core/macro'
import { useGetStatsQuery } from '@/api'
import { Box, Flex, Grid, HStack, Skeleton } from '@/ui'
import { formatNumber } from '@/ui/format'
import { MapIcon, TimerIcon, UsersIcon } from '@/ui/icons'
import { useLoggedError } from './Recent'

export function StatCounters() {
  const { data, error } = useGetStatsQuery()
  useLoggedError('Failed to load the totals', error)
  const counters = [
    { label: t`Total Maps`, value: data?.data.totalMaps, Icon: MapIcon },
    { label: t`Registered Players`, value: data?.data.totalPlayers, Icon: UsersIcon },
    { label: t`Submitted Records`, value: data?.data.totalRecords, Icon: TimerIcon },
  ]
  return (
    <Grid as="dl" columns={3} gap="0" overflow="hidden" borderWidth="1px" rounded="l3" bg="bg.panel" shadow="card">
      {counters.map(({ label, value, Icon }) => (
        // The figure is above its label, which comes first in the document.
        <Flex
          key={label}
          direction="column-reverse"
          justify="flex-end"
          px={{ base: '3', md: '6' }}
          py={{ base: '4', md: '5' }}
          css={{ '& + &': { borderStartWidth: '1px' } }}
        >
          <HStack as="dt" gap="2" textStyle="sm" color="fg.muted">
            <Box as="span" hideBelow="md">
              <Icon size={4} />
            </Box>
            <span>{label}</span>
          </HStack>
          <Box
            as="dd"
            minH={{ base: '8', md: '11' }}
            fontFamily="heading"
            fontWeight="bold"
            textStyle={{ base: '2xl', md: '4xl' }}
          >
            {value !== undefined ? formatNumber(value) : error ? '–' : <Skeleton h="8" w="20" />}
          </Box>
        </Flex>
      ))}
    </Grid>
  )
}
