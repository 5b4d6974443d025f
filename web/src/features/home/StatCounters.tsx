import { Box, chakra, SimpleGrid, Skeleton } from '@chakra-ui/react'
import { useGetStatsQuery } from '@/shared/api'
import { MapIcon, TimerIcon, UsersIcon } from '@/shared/components/icons'
import { useLoggedProblem } from './useLoggedProblem'

const Term = chakra('dt')
const Figure = chakra('dd')

export function StatCounters() {
  const { data, error } = useGetStatsQuery()
  useLoggedProblem('Failed to load the totals', error)
  const counters = [
    { label: 'Total Maps', value: data?.data.totalMaps, Icon: MapIcon },
    { label: 'Registered Players', value: data?.data.totalPlayers, Icon: UsersIcon },
    { label: 'Submitted Records', value: data?.data.totalRecords, Icon: TimerIcon },
  ]
  return (
    <SimpleGrid
      as="dl"
      columns={3}
      borderWidth="1px"
      rounded="l3"
      bg="bg.panel"
      shadow="card"
      overflow="hidden"
    >
      {counters.map(({ label, value, Icon }, i) => (
        <Box
          key={label}
          display="flex"
          flexDirection="column-reverse"
          justifyContent="flex-end"
          px={{ base: '3', md: '6' }}
          py={{ base: '4', md: '5' }}
          borderStartWidth={i > 0 ? '1px' : '0'}
        >
          <Term textStyle="sm" color="fg.muted" display="flex" gap="2" alignItems="center">
            <Icon hideBelow="md" boxSize="4" />
            {label}
          </Term>
          <Figure
            fontFamily="heading"
            fontWeight="bold"
            textStyle={{ base: '2xl', md: '4xl' }}
            minH={{ base: '8', md: '11' }}
          >
            {value !== undefined ? value.toLocaleString('en-GB') : error ? '–' : <Skeleton h="8" w="20" />}
          </Figure>
        </Box>
      ))}
    </SimpleGrid>
  )
}
