import { loadConfig } from '../../config/load-config.ts'
import { serve } from '../serve.ts'
import type { RunCommand } from './command.ts'
import { asConfigFaults } from './config-faults.ts'

export const serveCommand: RunCommand = async () => {
  const load = () => loadConfig(process.env)
  const config = await asConfigFaults(load)
  await asConfigFaults(() => serve(config, load), config.secrets)
}
