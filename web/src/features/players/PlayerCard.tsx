import { Flex, Heading, Skeleton, Stack, Text } from '@chakra-ui/react'
import type { Player } from '@/shared/api'
import { Avatar } from '@/shared/components/Avatar'
import { ButtonLink } from '@/shared/components/ButtonLink'
import { formatDate } from '@/shared/lib/dates'
import { RoleBadges } from './RoleBadges'

export function PlayerCard({ player }: { player: Player }) {
  return (
    <Flex as="article" {...card}>
      <Avatar player={player} size={14} />
      <Stack gap="1" minW="0" flex="1">
        <Heading as="h2" textStyle="lg" truncate title={player.name}>
          {player.name}
        </Heading>
        <Text textStyle="sm" color="fg.muted">
          Level {player.level || 'N/A'}
        </Text>
        <RoleBadges roles={player.roles} on="card" />
        <Text textStyle="xs" color="fg.muted">
          Last Updated: {formatDate(player.updatedAt)}
        </Text>
        <ButtonLink
          to={`/player/${player._id}`}
          size="xs"
          variant="subtle"
          mt="auto"
          alignSelf="flex-start"
          aria-label={`View Profile of ${player.name}`}
        >
          View Profile
        </ButtonLink>
      </Stack>
    </Flex>
  )
}

export function PlayerCardSkeleton() {
  return (
    <Flex {...card} aria-hidden="true">
      <Skeleton boxSize="14" rounded="full" flexShrink="0" />
      <Stack gap="2" flex="1">
        <Skeleton h="6" w="60%" />
        <Skeleton h="4" w="35%" />
        <Skeleton h="4" w="70%" />
      </Stack>
    </Flex>
  )
}

const card = {
  gap: '4',
  p: '4',
  minH: '40',
  bg: 'bg.panel',
  borderWidth: '1px',
  rounded: 'l3',
  shadow: 'card',
} as const
