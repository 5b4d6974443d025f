import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type Player, useGetPlayerPointsQuery } from '@/api'
import { FollowPlayer } from '@/entities/follow/Follow'
import { Avatar } from '@/entities/player/Avatar'
import { RoleBadges } from '@/entities/player/RoleBadges'
import { formatPoints } from '@/entities/points/format'
import { paths } from '@/routes/paths'
import { useSession } from '@/store/hooks'
import { type Elements, Flex, Name, Panel, Skeleton, Stack, styled, Text } from '@/ui'
import { Fact, Facts } from '@/ui/Facts'
import { DateTime, formatNumber, notAvailable } from '@/ui/format'
import { PageHeading } from '@/ui/headings'
import { ButtonLink } from '@/ui/links'
import { usePainted } from '@/ui/usePainted'
import { EditAvatar } from './EditAvatar'
import { EditRoles } from './EditRoles'
import { playerPoints } from './queries'

const Card = styled(Panel, {
  base: {
    display: 'flex',
    flexDirection: { base: 'column', sm: 'row' },
    alignItems: { sm: 'flex-start' },
    gap: { base: '4', md: '8' },
    p: { base: '5', md: '8' },
  },
})

/** A player's profile. The player's own has a button that changes the avatar, that of others buttons that follow and compare. */
export function ProfileCard({ player, children }: { player: Player; children?: Elements }) {
  const user = useSession()
  const own = user?._id === player._id
  return (
    <Card as="section">
      <Stack gap="3" align="center" alignSelf="flex-start">
        <Avatar player={player} size={28} />
        {own && <EditAvatar />}
      </Stack>
      <Stack gap="3" flex="1" minW="0">
        <PageHeading>
          <Name>{player.name}</Name>
        </PageHeading>
        <RoleBadges roles={player.roles} on="profile" />
        <Flex wrap="wrap" gap="2" _empty={{ display: 'none' }}>
          {user && !own && (
            <>
              <FollowPlayer player={player} small />
              <ButtonLink to={paths.compare(user._id, player._id)} size="xs" variant="outline">
                <Trans>Compare with me</Trans>
              </ButtonLink>
            </>
          )}
          <EditRoles player={player} />
          {children}
        </Flex>
        {!player.registered && (
          <Text color="fg.muted">
            <Trans>
              This profile has not been claimed yet. It belongs to the author of a map, and becomes theirs with their
              first login.
            </Trans>
          </Text>
        )}
        <Facts mt="1">
          <Fact strong label={t`Level`}>
            {player.level || notAvailable()}
          </Fact>
          <PointsFacts playerId={player._id} />
          <Fact strong label={t`Maps`}>
            {formatNumber(player.mapCount)}
          </Fact>
          <Fact strong label={t`Records`}>
            {formatNumber(player.recordCount)}
          </Fact>
          <Fact strong label={t`Member Since`}>
            <DateTime iso={player.createdAt} />
          </Fact>
          <Fact strong label={t`Last Updated`}>
            <DateTime iso={player.updatedAt} />
          </Fact>
        </Facts>
      </Stack>
    </Card>
  )
}

/** The points and the rank. They have their places before they are known. */
function PointsFacts({ playerId }: { playerId: string }) {
  const painted = usePainted()
  const { currentData, error } = useGetPlayerPointsQuery(playerPoints(playerId), { skip: !painted })
  const points = currentData?.data
  const waiting = error ? notAvailable() : <Skeleton h="5" w="12" />
  const rank = points && (points.rank === null ? t`Not ranked yet` : formatNumber(points.rank))
  return (
    <>
      <Fact strong label={t`Points`}>
        {points ? formatPoints(points.total) : waiting}
      </Fact>
      <Fact strong label={t`Rank`}>
        {rank ?? waiting}
      </Fact>
    </>
  )
}

export function ProfileCardSkeleton() {
  return (
    <Card as="section">
      <Skeleton boxSize="28" rounded="full" flexShrink="0" />
      <Stack gap="3" flex="1" minW="0">
        <Skeleton h="10" w="56" maxW="full" />
        <Text role="status" color="fg.muted">
          <Trans>Loading player information...</Trans>
        </Text>
        <Skeleton h="10" w="96" maxW="full" />
      </Stack>
    </Card>
  )
}
