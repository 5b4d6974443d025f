import { Link } from 'react-router'
import { styled } from 'styled-system/jsx'
import type { Player } from '@/api'
import { paths } from '@/routes/paths'
import { Button, Heading, Skeleton, Stack, Text } from '@/ui'
import { DateTime } from '@/ui/format'
import { Avatar } from './Avatar'
import { RoleBadges } from './RoleBadges'

// Beside each other, every card has room for roles.
const Card = styled('article', {
  base: {
    display: 'flex',
    gap: '4',
    minW: '0',
    minH: { base: '8.5rem', sm: '10rem' },
    p: '4',
    borderWidth: '1px',
    rounded: 'l3',
    bg: 'bg.panel',
    shadow: 'card',
  },
})

export function PlayerCard({ player }: { player: Player }) {
  const profile = paths.player(player._id)
  return (
    <Card>
      <Avatar player={player} size={14} />
      <Stack gap="1" flex="1" minW="0">
        <Heading as="h2" textStyle="lg" fontWeight="bold" truncate title={player.name}>
          <Link to={profile} tabIndex={-1}>
            {player.name}
          </Link>
        </Heading>
        <Text textStyle="sm" color="fg.muted">
          Level {player.level || 'N/A'}
        </Text>
        <RoleBadges roles={player.roles} on="card" />
        <Text textStyle="xs" color="fg.muted">
          Last Updated: <DateTime iso={player.updatedAt} />
        </Text>
        <Button asChild size="xs" variant="subtle" alignSelf="flex-start" mt="auto">
          <Link to={profile} aria-label={`View Profile of ${player.name}`}>
            View Profile
          </Link>
        </Button>
      </Stack>
    </Card>
  )
}

export function PlayerCardSkeleton() {
  return <Skeleton h={{ base: '8.5rem', sm: '10rem' }} rounded="l3" aria-hidden="true" />
}
