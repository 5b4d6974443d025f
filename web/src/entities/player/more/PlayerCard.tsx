import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'
import type { Player } from '@/api'
import { paths } from '@/routes/paths'
import { Box, Flex, Heading, Name, Panel, Skeleton, Stack, styled, Text } from '@/ui'
import { DateTime, notAvailable } from '@/ui/format'
import { ButtonLink } from '@/ui/links'
import { Avatar } from '../Avatar'
import { RoleBadges } from './RoleBadges'

// Of a card with its roles in one line.
const height = '9.25rem'

const Card = styled(Panel, {
  base: {
    display: 'flex',
    gap: '4',
    minW: '0',
    minH: height,
    p: '4',
  },
})

export function PlayerCard({ player }: { player: Player }) {
  const profile = paths.player(player._id)
  return (
    <Card as="article">
      <Avatar player={player} size={14} />
      <Stack gap="1" flex="1" minW="0">
        <Heading as="h2" textStyle="lg" fontWeight="bold" lineHeight="1.25" overflowWrap="anywhere">
          <Link to={profile} tabIndex={-1}>
            <Name>{player.name}</Name>
          </Link>
        </Heading>
        <Flex wrap="wrap" align="center" columnGap="2" rowGap="1">
          <Text textStyle="sm" color="fg.muted">
            <Trans>Level {player.level || notAvailable()}</Trans>
          </Text>
          <RoleBadges roles={player.roles} on="card" />
        </Flex>
        <Text textStyle="xs" color="fg.muted">
          <Trans>
            Last Updated: <DateTime iso={player.updatedAt} />
          </Trans>
        </Text>
        <Box mt="auto" pt="2">
          <ButtonLink to={profile} aria-label={t`View Profile of ${player.name}`} size="xs" variant="subtle">
            <Trans>View Profile</Trans>
          </ButtonLink>
        </Box>
      </Stack>
    </Card>
  )
}

export function PlayerCardSkeleton() {
  return <Skeleton h={height} rounded="l3" aria-hidden="true" />
}
