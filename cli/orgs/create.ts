import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { act } from '../session.ts';
