import { Outlet } from 'react-router'
import DeletionNotice from '@/entities/player/more/DeletionNotice'
import { SettingsMenu } from '@/features/settings/SettingsMenu'
import { Grid, Stack } from '@/ui'

export default function SettingsPage() {
  return (
    <Grid gap={{ base: '6', md: '10' }} gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: '11rem minmax(0, 1fr)' }}>
      <SettingsMenu />
      <Stack gap="6">
        <DeletionNotice />
        <Outlet />
      </Stack>
    </Grid>
  )
}
