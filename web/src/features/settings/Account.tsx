import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { config } from '@/config'
import { Avatar } from '@/entities/player/Avatar'
import { LanguageField } from '@/entities/player/LanguageField'
import { RoleBadges } from '@/entities/player/more/RoleBadges'
import { useLogOut } from '@/entities/player/useLogOut'
import { paths } from '@/routes/paths'
import type { User } from '@/session/session'
import { useSession } from '@/store/hooks'
import { Box, Button, type Elements, Flex, Name, Panel, Stack, Text } from '@/ui'
import { LogOutIcon } from '@/ui/icons'
import { PageLink } from '@/ui/links'
import { SingleKeys } from '@/ui/more/SingleKeys'
import { Part } from '@/ui/Part'

/** Who the player is, and how the session is ended. */
export function Account({ avatarButton }: { avatarButton: Elements }) {
  const user = useSession()
  if (!user) return null
  return (
    <>
      <Identity user={user} avatarButton={avatarButton} />
      <Part spaced title={t`Language`}>
        <Text color="fg.muted">
          <Trans>It is kept with your account: wherever you log in, the site is shown in it.</Trans>
        </Text>
        <LanguageField />
      </Part>
      <Part spaced title={t`Keyboard`}>
        <Text color="fg.muted">
          <Trans>The slash key moves to the site's search. The moderators' desk lists its own keys.</Trans>
        </Text>
        <SingleKeys />
      </Part>
      <Part spaced title={t`Logging out`}>
        <Text color="fg.muted">
          <Trans>
            This ends the session in this browser. In other browsers you stay logged in until you log out there, or
            until you have not opened the site there for 30 days.
          </Trans>
        </Text>
        <LogOutButton />
      </Part>
    </>
  )
}

function Identity({ user, avatarButton }: { user: User; avatarButton: Elements }) {
  const { _id, name, level, roles = [] } = user
  return (
    <Panel p="5">
      <Flex direction={{ base: 'column', sm: 'row' }} gap="5" align={{ sm: 'flex-start' }}>
        <Stack gap="3" align="center" alignSelf="flex-start">
          <Avatar player={user} size={20} />
          {avatarButton}
        </Stack>
        <Stack gap="2" minW="0">
          <Text textStyle="xl" fontWeight="semibold">
            <Name>{name}</Name>
          </Text>
          {level !== undefined && <Text>{t`Level ${level}`}</Text>}
          <RoleBadges roles={roles} on="profile" />
          <Text color="fg.muted">{t`Name and level come from ${config.game.name} each time you log in.`}</Text>
          <Box>
            <PageLink to={paths.player(_id)} variant="underline">{t`My Profile`}</PageLink>
          </Box>
        </Stack>
      </Flex>
    </Panel>
  )
}

function LogOutButton() {
  const logOut = useLogOut()
  return (
    <Button variant="outline" alignSelf="flex-start" onClick={logOut}>
      <LogOutIcon size={4} /> <Trans>Log Out</Trans>
    </Button>
  )
}
