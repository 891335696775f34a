import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { passwordOptions, readPassword } from '../secret.ts';
import { act } from '../session.ts';

const roles = ['owner', 'admin', 'member', 'viewer'] as const;
